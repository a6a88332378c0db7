"""The application that `openenv.yaml` names."""

from probity_sandbox.openenv import app as make
from probity_sandbox.openenv import main

app = make()

if __name__ == "__main__":
    main()
