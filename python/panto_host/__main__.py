"""``python -P -m panto_host``: the same program as the ``panto`` script."""

from panto_host.main import run

run()
