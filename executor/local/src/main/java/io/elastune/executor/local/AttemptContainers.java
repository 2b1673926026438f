package io.elastune.executor.local;

import io.elastune.executor.code.CodeSnapshot;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.protocol.ContainerCommand;
import io.elastune.executor.protocol.WorkerEnvironment;
import io.elastune.provisioner.process.HostTools;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The containers in which the workers of an attempt run. They are no children of this process, and
 * outlive a worker that is killed.
 */
final class AttemptContainers {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptContainers.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int CALLS = 3;

  private final AttemptSpec spec;

  AttemptContainers(AttemptSpec spec) {
    this.spec = spec;
  }

  /** Returns the command of a worker, which gets these variables. */
  static String command(AttemptSpec spec, int rank, Set<String> variables) {
    if (spec.image().isEmpty()) {
      return spec.command();
    }
    String cores = spec.workers().get(rank).slot();
    List<String> options =
        HostTools.areCores(cores) ? List.of("--cpuset-cpus", cores) : List.<String>of();
    return ContainerCommand.of(
        spec, variables, spec.code().map(s -> folders(s)).orElse(List.of()), options);
  }

  /** Returns the variables of this process with which the client finds its engine. */
  static Map<String, String> clientEnvironment() {
    Map<String, String> environment = HostTools.inheritedEnvironment();
    environment
        .keySet()
        .removeIf(name -> !name.startsWith("DOCKER_") && !name.equals("XDG_RUNTIME_DIR"));
    return environment;
  }

  /** The links in a working folder lead to the snapshot, and from there to the workdir. */
  private static List<String> folders(CodeSnapshot code) {
    return List.of(code.root().toString(), code.manifest().workdir());
  }

  /**
   * Removes all containers of the attempt, if it has an image. Blocks until Docker has confirmed
   * it, for at most a minute.
   */
  void remove() {
    for (int call = 1; spec.image().isPresent(); call++) {
      try {
        tryRemove();
        return;
      } catch (IOException e) {
        if (call == CALLS) {
          LOG.warn("A container of {} may still run: {}", spec.attempt(), e.toString());
          return;
        }
      }
    }
  }

  private void tryRemove() throws IOException {
    String label = "label=" + ContainerCommand.ATTEMPT_LABEL + "=" + WorkerEnvironment.mark(spec);
    String found = docker(List.of("ps", "--all", "--quiet", "--filter=" + label));
    List<String> names = found.lines().toList();
    if (!names.isEmpty()) {
      List<String> command = new ArrayList<>(List.of("rm", "--force"));
      command.addAll(names);
      docker(command);
    }
  }

  private String docker(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "exec docker \"$@\"", "sh"));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.DISCARD);
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.putAll(HostTools.inheritedEnvironment());
    environment.putAll(spec.environment()); // as for the workers, such as DOCKER_HOST
    Process process = builder.start();
    process.getOutputStream().close();
    try {
      boolean ended = process.waitFor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      if (!ended || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException("docker " + arguments.get(0) + (ended ? " failed" : " hangs"));
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
