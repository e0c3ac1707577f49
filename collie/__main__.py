"""The program's entry: what must be fast is answered here with the standard library alone; the rest is in `cli`."""

import sys


def main() -> int:
    """Run the command line in `sys.argv`; the exit status."""
    if sys.argv[1:] == ["--version"]:
        from collie import __version__

        print(f"collie {__version__}")
        return 0
    from collie.cli.main import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
