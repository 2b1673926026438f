package io.elastune.provisioner.terraform;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Runs the real Terraform in a copy of the modules, with a fake of the cloud's command line. */
public final class TerraformRun {
  private static final String CONFIGURATION = "TF_CLI_CONFIG_FILE";

  private final Path scratch;
  private final Path folder;
  private final Map<String, String> environment = new TreeMap<>();

  /**
   * The output of a command.
   *
   * @param text standard output and standard error
   */
  public record Output(int exitCode, String text) {}

  /**
   * Copies the modules.
   *
   * @param folder the folder in which terraform runs, below {@code terraform}
   * @param cli the fake command, e.g. {@code aws}
   */
  public TerraformRun(Path scratch, String folder, String cli) throws IOException {
    this.scratch = scratch;
    this.folder = scratch.resolve("terraform").resolve(folder);
    copy(TerraformModule.root(), scratch.resolve("terraform"));
    Path bin = Files.createDirectories(scratch.resolve("bin"));
    Path script = bin.resolve(cli);
    Files.writeString(
        script,
        """
        #!/bin/sh
        printf '%%s\\n' "$*" >> '%1$s/calls'
        case "$*" in
          *describe-regions*) echo us-east-1 eu-west-1 ;;
          *describe-instances*'--region eu-west-1'*) cat '%1$s/elsewhere' ;;
          *describe-instances* | *'instances list'*) [ ! -f '%1$s/fails' ] || exit 1; cat '%1$s/instances' ;;
          *describe-snapshots* | *'snapshots list'*) echo snap-1 snap-2 ;;
          'scheduler jobs list '*) [ -f '%1$s/log.ready' ] || { : > '%1$s/log.ready'; echo SERVICE_DISABLED; exit 1; } ;;
        esac
        """
            .formatted(scratch));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path sleep = Files.writeString(bin.resolve("sleep"), "#!/bin/sh\n"); // the waits of the modules
    Files.setPosixFilePermissions(sleep, PosixFilePermissions.fromString("rwxr-xr-x"));
    instances("");
    elsewhere("");
    environment.put("PATH", bin + File.pathSeparator + System.getenv("PATH"));
    environment.put(CONFIGURATION, Files.createFile(scratch.resolve("tfrc")).toString());
    environment.put("CHECKPOINT_DISABLE", "1");
    environment.put("TF_IN_AUTOMATION", "1");
  }

  /** Returns whether Terraform is installed. */
  public static boolean isInstalled() {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(path -> Files.isExecutable(Path.of(path, "terraform")));
  }

  /** Returns the folder in which terraform runs. */
  public Path folder() {
    return folder;
  }

  /** Sets the instances that the fake command lists. */
  void instances(String ids) throws IOException {
    Files.writeString(scratch.resolve("instances"), ids);
  }

  /** Sets the instances of the module that the fake command lists in another region of AWS. */
  void elsewhere(String ids) throws IOException {
    Files.writeString(scratch.resolve("elsewhere"), ids);
  }

  /** Lets the fake command fail to list instances. */
  void failToList() throws IOException {
    Files.createFile(scratch.resolve("fails"));
  }

  /** Returns the calls of the fake command. */
  public List<String> calls() throws IOException {
    Path calls = scratch.resolve("calls");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  /** Sets an environment variable. */
  public void set(String name, String value) {
    environment.put(name, value);
  }

  /** Sets the content of Terraform's configuration file. */
  void configuration(String text) throws IOException {
    Files.writeString(scratch.resolve("tfrc"), text);
  }

  /** Uses the configuration file of the user, if there is one. */
  void useConfigurationOfUser() {
    String file = System.getenv(CONFIGURATION);
    if (file == null) {
      environment.remove(CONFIGURATION);
    } else {
      environment.put(CONFIGURATION, file);
    }
  }

  /** Runs terraform, which must exit with 0, and returns its output. */
  public String succeeds(String... arguments) throws IOException, InterruptedException {
    Output output = terraform(arguments);
    assertThat(output.exitCode()).as(output.text()).isZero();
    return output.text();
  }

  /** Runs terraform. */
  public Output terraform(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("terraform"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("TF_") || name.startsWith("AWS_"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Output(process.waitFor(), text);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path relative = from.relativize(file);
        if (!relative.toString().contains(".terraform")
            && !relative.toString().contains("tfstate")) {
          Files.createDirectories(to.resolve(relative).getParent());
          Files.copy(file, to.resolve(relative));
        }
      }
    }
  }
}
