"""`python -m weft` is the command `weft`."""

import sys

from weft.command import main

sys.argv[0] = "weft"
sys.exit(main())
