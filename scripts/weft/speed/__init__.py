"""The speed stage: how long each verified program takes, launch by launch, on one device."""
