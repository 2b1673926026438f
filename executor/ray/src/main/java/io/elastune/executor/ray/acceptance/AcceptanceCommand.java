package io.elastune.executor.ray.acceptance;

import io.elastune.core.ShellWord;
import io.elastune.executor.protocol.ContainerCommand;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Builds the shell commands with which a node observes its GPUs. The agent executes them in a
 * folder that has only the program, and sets {@code ELASTUNE_PYTHON} to its interpreter.
 */
final class AcceptanceCommand {
  /** Marks the container, so that the agent can remove it. */
  private static final String MARK = "acceptance";

  private static final String PROGRAM = " -I -S acceptance.py ";

  private AcceptanceCommand() {}

  /**
   * Returns the command.
   *
   * @param timed whether copies within the memory are timed; never in a container, which has no
   *     records of errors either
   */
  static String of(AcceptanceSettings settings, boolean timed, AcceptanceSubject subject) {
    long limitS = settings.timeLimit().toSeconds();
    boolean recorded =
        settings.has(NodeCheck.HEALTH)
            && subject.image().isEmpty()
            && !subject.nodes().areShared(); // the records are those of all GPUs
    String program =
        PROGRAM + limitS + " " + limitS + (timed ? " speed" : "") + (recorded ? " health" : "");
    return subject
        .image()
        .map(name -> ContainerCommand.ofCheck(name, devices(subject), MARK, inContainer(program)))
        .orElse(visible(subject) + "exec \"$ELASTUNE_PYTHON\"" + program);
  }

  /** Returns the GPUs that a container gets. */
  private static String devices(AcceptanceSubject subject) {
    return subject.devices().isEmpty()
        ? IntStream.range(0, subject.offer().gpus())
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(","))
        : String.join(",", subject.devices());
  }

  /** Returns the command that restricts CUDA to the GPUs of the lease, as for its workers. */
  private static String visible(AcceptanceSubject subject) {
    return subject.devices().isEmpty()
        ? ""
        : "export CUDA_VISIBLE_DEVICES="
            + ShellWord.quoted(String.join(",", subject.devices()))
            + "; ";
  }

  /** An image may lack Python, or {@code nvidia-smi} too. */
  private static String inContainer(String program) {
    return "for python in python3 python; do"
        + " if \"$python\" -c 'import sys; sys.exit(sys.version_info < (3, 6))' 2>/dev/null; then"
        + " exec \"$python\""
        + program
        + "; fi; done;"
        + " if command -v nvidia-smi >/dev/null; then"
        + " found=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>&1); echo \"smi $?\";"
        + " echo \"$found\"; exit 0; fi;"
        + " set -- /dev/nvidia[0-9]*; [ -e \"$1\" ] || shift; echo \"devices $#\"";
  }
}
