package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.TinyJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Plans and runs on the GPUs of a machine, which a program named nvidia-smi lists. */
@Execution(ExecutionMode.CONCURRENT)
class LocalGpuIT {
  private static final String NVIDIA_SMI =
      """
      #!/bin/sh
      echo 'GPU 0: NVIDIA A10G (UUID: GPU-a0)'
      echo 'GPU 1: NVIDIA A10G (UUID: GPU-b1)'
      """;

  @TempDir Path folder;

  @Test
  void jobNeedsNoOffersFile() throws Exception {
    Path tools = Files.createDirectories(folder.resolve("tools"));
    Path nvidiaSmi = Files.writeString(tools.resolve("nvidia-smi"), NVIDIA_SMI);
    Files.setPosixFilePermissions(nvidiaSmi, PosixFilePermissions.fromString("rwxr-xr-x"));
    LauncherProcess elastune =
        LauncherProcess.in(folder).with("PATH", tools + ":" + System.getenv("PATH"));
    Path job =
        new TinyJob("gpus")
            .search("{algorithm: random, trials: 4, ", "max: 1")
            .with(
                "trial",
                "{run: 'echo $CUDA_VISIBLE_DEVICES > gpu.txt; exec sh trial.sh', envs: {PAUSE: \"0.1\"}}")
            .with("resources", "{infra: [local], max_instances: 2}")
            .with("deadline", "10m")
            .write(folder.resolve("jobs"));
    Path profile = job.resolveSibling("profile.yaml");
    Files.writeString(profile, Files.readString(profile).replace("gpu: cpu", "gpu: A10G"));

    assertThat(elastune.run("offers", "--infra", "local", "--gpu", "a10g").assertExit(0).out())
        .contains("local/a10g/on-demand", "local/a10g-x2/on-demand");
    CommandResult run =
        elastune.run("run", job.toString(), "--gpu", "a10g", "-y", "--json").assertExit(0);

    assertThat(run.err()).contains("a10g");
    assertThat(gpus(run.run())).hasSize(4).isSubsetOf("0", "1");
    Leftovers.assertNone(elastune.home(), run.run());
  }

  /**
   * A trial kills both of its keepers, and leaves a process that has nothing of the trial any more.
   * Only the driver names it.
   */
  @Test
  @EnabledOnOs(OS.LINUX)
  void exitLineNamesProcessThatIsLeftOnGpu() throws Exception {
    Path tools = Files.createDirectories(folder.resolve("tools"));
    Path left = tools.resolve("left");
    String answer = "\ncase $1 in --query*) cat " + left + " 2>/dev/null; exit 0 ;; esac\n";
    Path nvidiaSmi =
        Files.writeString(
            tools.resolve("nvidia-smi"), NVIDIA_SMI.replace("/bin/sh\n", "/bin/sh" + answer));
    Files.setPosixFilePermissions(nvidiaSmi, PosixFilePermissions.fromString("rwxr-xr-x"));
    LauncherProcess elastune =
        LauncherProcess.in(folder).with("PATH", tools + ":" + System.getenv("PATH"));
    String escape =
        """
        if ! [ -e LEFT ]; then
          prlimit --locks=1:1 env -i setsid sleep 1000 <&- >/dev/null 2>&1 &
          echo "GPU-a0, $!, sleep" > LEFT; echo "GPU-b1, $!, sleep" >> LEFT
          while ! grep -q sleep /proc/$!/comm; do sleep 0.01; done
          kill -9 $PPID $(sed 's/.*) [A-Z] \\([0-9]*\\) .*/\\1/' /proc/$PPID/stat)
          exit 1
        fi
        exec sh trial.sh
        """;
    Path job =
        new TinyJob("left")
            .search("{algorithm: random, trials: 1, ", "max: 1")
            .with(
                "trial",
                "{run: exec sh escape.sh, envs: {PAUSE: \"0.1\"}, max_failures: 1, gpus: 1}")
            .with("resources", "{infra: [local], max_instances: 1}")
            .with("deadline", "10m")
            .write(folder.resolve("jobs"));
    Files.writeString(job.resolveSibling("escape.sh"), escape.replace("LEFT", left.toString()));
    Path profile = job.resolveSibling("profile.yaml");
    Files.writeString(profile, Files.readString(profile).replace("gpu: cpu", "gpu: A10G"));
    CommandResult run = elastune.run("run", job.toString(), "--gpu", "a10g", "-y");

    long pid = Long.parseLong(Files.readString(left).split(", ", -1)[1]);
    String line = "no instance left; process " + pid + " (sleep) still uses GPU GPU-";
    try {
      assertThat(run.assertExit(0).out()).contains(line);
      assertThat(elastune.run("status").assertExit(0).out()).contains(line);
    } finally {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private List<String> gpus(String run) throws Exception {
    List<String> gpus = new ArrayList<>();
    Path work = folder.resolve("home/runs").resolve(run).resolve("work");
    try (Stream<Path> paths = Files.walk(work)) {
      for (Path file : paths.filter(p -> p.endsWith("gpu.txt")).toList()) {
        gpus.add(Files.readString(file).strip());
      }
    }
    return gpus;
  }
}
