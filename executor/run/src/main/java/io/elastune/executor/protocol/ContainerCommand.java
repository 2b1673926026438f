package io.elastune.executor.protocol;

import io.elastune.core.ShellWord;
import io.elastune.executor.engine.AttemptSpec;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Builds the shell command that runs a worker in a container, with the folders, variables and
 * devices that it would have without. The worker's variables are those of the command's process:
 * its arguments have their names only, because others can read arguments.
 *
 * <p>The container is no child of the command. It outlives a command that is killed, and is found
 * by its labels.
 */
public final class ContainerCommand {
  /** The label with the value of {@link WorkerEnvironment#mark}. */
  public static final String ATTEMPT_LABEL = "elastune-attempt";

  /** The label with the lease of the container's instance. */
  public static final String LEASE_LABEL = "elastune-lease";

  /**
   * With `--gpus`, a container has only the devices of its worker, and numbers them from 0. The
   * quotes within the value are for Docker, which reads it as CSV.
   */
  private static final String GPUS =
      "case \"${CUDA_VISIBLE_DEVICES-}\" in ''|-1) set -- --env CUDA_VISIBLE_DEVICES ;;"
          + " *) set -- --gpus \"\\\"device=$CUDA_VISIBLE_DEVICES\\\"\" ;; esac; ";

  /** Only rank 0 has a report channel, and all workers have the same command. */
  private static final String REPORTS =
      "if [ -n \"${ELASTUNE_REPORTS-}\" ]; then set -- \"$@\" --env ELASTUNE_REPORTS --mount"
          + " type=bind,source=\"$ELASTUNE_REPORTS\",target=\"$ELASTUNE_REPORTS\"; fi; ";

  private static final String OPTIONS =
      " --rm --init --pull never --network host --ipc host --user \"$(id -u):$(id -g)\""
          + " --workdir \"$PWD\"";

  private static final String SHELL =
      "if command -v bash >/dev/null; then exec bash -e -c \"$1\"; fi; exec sh -e -c \"$1\"";

  /** A folder that every user of a container may write to. */
  private static final String HOME = " --env HOME=/tmp";

  private ContainerCommand() {}

  /**
   * Returns the command for all workers of an attempt that has an image.
   *
   * @param variables the names of the variables that workers get
   * @param folders what workers need besides their working folder and the trial's checkpoints
   * @param options more options of {@code docker run}
   */
  public static String of(
      AttemptSpec spec, Set<String> variables, Collection<String> folders, List<String> options) {
    StringBuilder text = new StringBuilder(GPUS).append(REPORTS);
    text.append("exec docker run \"$@\"").append(OPTIONS);
    text.append(spec.keepAlive() == AttemptSpec.KeepAlive.WAIT ? " --interactive" : "");
    text.append(" --name \"elastune-$ELASTUNE_LEASE-").append(spec.attempt()).append("-$RANK\"");
    text.append(label(ATTEMPT_LABEL, ShellWord.quoted(WorkerEnvironment.mark(spec))));
    text.append(label(LEASE_LABEL, "\"$ELASTUNE_LEASE\""));
    text.append(mount("\"$PWD\"")).append(mount("\"$ELASTUNE_CHECKPOINT_DIR\""));
    text.append(mount("\"$ELASTUNE_TRIAL_JSON\"")).append(",readonly");
    folders.forEach(folder -> text.append(mount(ShellWord.quoted(folder))));
    text.append(variables.contains("HOME") ? "" : HOME);
    Set<String> passed = new TreeSet<>(variables);
    passed.removeAll(Set.of("CUDA_VISIBLE_DEVICES", WorkerEnvironment.REPORTS));
    passed.forEach(name -> text.append(" --env ").append(name));
    options.forEach(option -> text.append(' ').append(ShellWord.quoted(option)));
    text.append(" --entrypoint sh ").append(ShellWord.quoted(spec.image().orElseThrow()));
    text.append(" -c ").append(ShellWord.quoted(SHELL)).append(" sh ");
    return text.append(ShellWord.quoted(spec.command())).toString();
  }

  /**
   * Returns the command that runs a check in a container with the engine options of workers. The
   * working folder is that of the command.
   *
   * @param devices the GPUs, as {@code CUDA_VISIBLE_DEVICES} names them
   * @param check the value of {@link #ATTEMPT_LABEL}, and a part of the container's name
   * @param script what {@code sh} executes
   */
  public static String ofCheck(String image, String devices, String check, String script) {
    return "CUDA_VISIBLE_DEVICES="
        + devices
        + "; "
        + GPUS
        + "exec docker run \"$@\""
        + OPTIONS
        + " --name \"elastune-$ELASTUNE_LEASE-"
        + check
        + "\""
        + label(ATTEMPT_LABEL, check)
        + label(LEASE_LABEL, "\"$ELASTUNE_LEASE\"")
        + mount("\"$PWD\"")
        + HOME
        + " --entrypoint sh "
        + ShellWord.quoted(image)
        + " -c "
        + ShellWord.quoted(script);
  }

  private static String label(String name, String value) {
    return " --label " + name + "=" + value;
  }

  private static String mount(String path) {
    return " --mount type=bind,source=" + path + ",target=" + path;
  }
}
