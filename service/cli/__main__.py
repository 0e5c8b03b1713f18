"""`python -m service.cli` is `wonderlog`."""

from service.cli import main

if __name__ == "__main__":
    main()
