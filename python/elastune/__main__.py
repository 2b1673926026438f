"""Starts the command: python -m elastune."""

from elastune._launcher import main

main()
