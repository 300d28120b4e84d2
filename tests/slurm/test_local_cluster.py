"""Where the private cluster cannot run, it says what is missing. No Slurm is needed."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import local_cluster


def test_missing_programs_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_cluster, "find", lambda program: None if program == "slurmd" else "/bin/true")
    with pytest.raises(local_cluster.SlurmMissingError, match=r"\(slurmd not found\).*apt-get install"):
        local_cluster.require_slurm()


def test_host_name_must_be_on_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_cluster, "find", lambda program: "/bin/true")
    monkeypatch.setattr(socket, "gethostname", lambda: "node7.example.org")
    monkeypatch.setattr(socket, "gethostbyname", lambda name: "192.0.2.7")
    with pytest.raises(local_cluster.SlurmMissingError, match=r"'node7' resolves to 192\.0\.2\.7; put"):
        local_cluster.require_slurm()
    monkeypatch.setattr(socket, "gethostbyname", lambda name: "127.0.1.1")
    local_cluster.require_slurm()
