package io.elastune.cli.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the boot scripts of the Terraform modules' controllers with substitutes of all programs. */
@DisabledOnOs(OS.WINDOWS)
class ControllerScriptTest {
  /** The first two calls of each command fail, as those of a new role do. */
  private static final String FAILS_TWICE =
      """
      #!/bin/sh
      call="$(basename "$0") $1"
      echo "$call" >>"$CALLS"
      [ "$(grep -c "^$call" "$CALLS")" -gt 2 ] || exit 1
      for last; do :; done
      case $last in */release.zip) echo release >"$last" ;; esac
      """;

  private static final String UNZIP =
      """
      #!/bin/sh
      echo unzip >>"$CALLS"
      mkdir -p "$4/elastune-1"
      printf '#!/bin/sh\\necho install.sh "$@" >>"$CALLS"\\n' >"$4/elastune-1/install.sh"
      chmod 755 "$4/elastune-1/install.sh"
      mkdir -p "$CURRENT/configs/gpu" "$CURRENT/python"
      touch "$CURRENT/configs/gpu/train.py" "$CURRENT/python/elastune_trial.py"
      """;

  /** The SHA-256 of {@code release} and a line feed. */
  private static final String CHECKSUM =
      "3933e3274b63dc01fd286d6d939a626867c83a4603fc4347e0f8b8856f1b98fd";

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"aws", "gcp"})
  void repeatsWhatFailsInNewAccounts(String cloud) throws Exception {
    assertThat(boot(cloud, CHECKSUM)).isZero();
    assertThat(calls())
        .filteredOn(call -> call.equals("aws s3") || call.equals("gcloud storage"))
        .hasSize(3);
    assertThat(calls()).last().asString().startsWith("install.sh --clouds ");
    assertThat(folder.resolve("etc/clouds.yaml")).hasContent("SETTINGS");
    assertThat(folder.resolve("etc/gpu/job.yaml")).hasContent("EXAMPLE");
    assertThat(folder.resolve("etc/gpu/train.py")).exists();
    assertThat(folder.resolve("etc/gpu/elastune_trial.py")).exists();
  }

  @ParameterizedTest
  @ValueSource(strings = {"aws", "gcp"})
  void installsOnlyTheReleaseOfTerraform(String cloud) throws Exception {
    assertThat(boot(cloud, CHECKSUM.replace('3', '4'))).isNotZero();
    assertThat(calls()).isNotEmpty().doesNotContain("unzip");
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(folder.resolve("calls"));
  }

  /** Returns the exit code of the boot script, with the values that Terraform inserts. */
  private int boot(String cloud, String checksum) throws Exception {
    Path template = ExampleFiles.REPOSITORY.resolve("terraform/" + cloud + "/files/controller.sh");
    String script =
        Files.readString(template)
            .replaceAll("(?m)^%\\{.*~}\n", "")
            .replace("${clouds_yaml}", "SETTINGS")
            .replace("${job_yaml}", "EXAMPLE")
            .replace("${checksum}", checksum)
            .replace("${release}", "s3://bucket/release.zip")
            .replace("${region}", "us-east-1")
            .replace("/etc/elastune", folder.resolve("etc").toString())
            .replace("/opt/elastune", folder.resolve("opt").toString());
    assertThat(script).doesNotContain("${");
    for (String program : List.of("apt-get", "aws", "dnf", "gcloud")) {
      program(program, FAILS_TWICE);
    }
    program("unzip", UNZIP);
    program("sleep", "#!/bin/sh\n");
    ProcessBuilder builder =
        new ProcessBuilder("bash", Files.writeString(folder.resolve("boot"), script).toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile());
    builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().put("CALLS", folder.resolve("calls").toString());
    builder.environment().put("CURRENT", folder.resolve("opt/current").toString());
    return builder.start().waitFor();
  }

  private void program(String name, String script) throws IOException {
    Path file = Files.createDirectories(folder.resolve("bin")).resolve(name);
    Files.writeString(file, script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
