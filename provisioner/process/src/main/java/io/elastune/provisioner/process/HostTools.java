package io.elastune.provisioner.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Builds command lines with optional programs of this machine, such as setsid and taskset. */
public final class HostTools {
  private static final Optional<String> SETSID = find("setsid");
  private static final Optional<String> TASKSET = find("taskset");
  private static final Optional<String> PERL = find("perl");
  private static final Optional<String> BASH = find("bash");

  private static final Set<String> ALLOWED =
      Set.of(
          "PATH",
          "HOME",
          "USER",
          "LOGNAME",
          "LANG",
          "LC_ALL",
          "LC_CTYPE",
          "LD_LIBRARY_PATH",
          "TMPDIR",
          // The runtimes with which Elastune was started. A node has its own.
          "JAVA_HOME",
          "PYTHONPATH",
          "VIRTUAL_ENV",
          "CONDA_PREFIX",
          "CUDA_VISIBLE_DEVICES"); // of a machine whose GPUs Elastune does not assign

  private HostTools() {}

  /**
   * Returns a command that runs in its own session: Ctrl-C at the terminal does not reach it, and
   * its process group id is its process id. Uses {@code setsid} (Linux) or perl (macOS). Without
   * either, the command is unchanged.
   */
  public static List<String> detached(List<String> command) {
    List<String> all = new ArrayList<>();
    if (SETSID.isPresent()) {
      all.add(SETSID.get());
    } else if (PERL.isPresent()) {
      all.addAll(
          List.of(PERL.get(), "-e", "use POSIX; POSIX::setsid(); exec { $ARGV[0] } @ARGV or die"));
    }
    all.addAll(command);
    return List.copyOf(all);
  }

  /** Returns a command pinned to these cores, or unchanged if taskset is unavailable. */
  public static List<String> pinned(String cores, List<String> command) {
    if (TASKSET.isEmpty() || !areCores(cores)) {
      return command;
    }
    List<String> all = new ArrayList<>(List.of(TASKSET.get(), "-c", cores));
    all.addAll(command);
    return List.copyOf(all);
  }

  /** Returns whether a text is a list of cores, such as {@code 0-3,8}. */
  public static boolean areCores(String text) {
    return text.matches("[0-9]+([-,][0-9]+)*");
  }

  /**
   * Returns a command that executes a script of the user and exits at the first command that fails.
   * Without bash, {@code sh} runs the script.
   */
  public static List<String> shell(String script) {
    return BASH.map(bash -> List.of(bash, "-e", "-c", script))
        .orElseGet(() -> List.of("sh", "-e", "-c", script));
  }

  /** Returns a command whose new files are for their owner only, unless it changes its umask. */
  public static List<String> ownerOnly(List<String> command) {
    List<String> all = new ArrayList<>(List.of("sh", "-c", "umask 077; exec \"$@\"", "sh"));
    all.addAll(command);
    return List.copyOf(all);
  }

  /**
   * Returns the variables of this process's environment that programs of the user get: where
   * programs, packages and files are, who the user is, and the language. The bridge to Ray has the
   * same list, except for Java and the environment of Python.
   */
  public static Map<String, String> allowedEnvironment() {
    Map<String, String> environment = new TreeMap<>(System.getenv());
    environment.keySet().retainAll(ALLOWED);
    return environment;
  }

  /**
   * Returns this process's environment without Elastune's variables, for programs of Elastune and
   * tools.
   */
  public static Map<String, String> inheritedEnvironment() {
    Map<String, String> environment = new TreeMap<>(System.getenv());
    environment.keySet().removeIf(name -> name.startsWith("ELASTUNE_"));
    return environment;
  }

  /** Returns the path of a program in the {@code PATH}. */
  public static Optional<String> find(String program) {
    String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
    for (String folder : path.split(File.pathSeparator, -1)) {
      Path file = Path.of(folder.isEmpty() ? "." : folder, program);
      if (Files.isExecutable(file) && Files.isRegularFile(file)) {
        return Optional.of(file.toString());
      }
    }
    return Optional.empty();
  }
}
