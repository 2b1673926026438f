package io.elastune.provisioner.host;

import io.elastune.core.Check;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The folder of a local instance: {@code $ELASTUNE_HOME/local/<lease>}. Whoever starts a process on
 * the instance enrols it here, so that the instance's guard ends it too where the environment of
 * processes cannot be read (macOS).
 *
 * @param path the folder itself
 */
public record InstanceFolder(Path path) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  /** The folder of the lease, whether it exists or not. */
  public static InstanceFolder of(Path home, String lease) {
    Check.that(isName(lease), "the lease " + lease + " cannot be the name of a folder");
    return new InstanceFolder(all(home).resolve(lease));
  }

  /** Whether a lease of that name can be had here. */
  public static boolean isName(String lease) {
    return NAME.matcher(lease).matches();
  }

  /** The folder of all instances. */
  public static Path all(Path home) {
    return home.resolve("local");
  }

  /** Where processes are enrolled: one empty file each, its name the process id. */
  public Path workers() {
    return path.resolve("workers");
  }

  /** Enrols a process of the instance; an instance that has gone is left as it is. */
  public void enrol(long pid) throws IOException {
    if (Files.isDirectory(workers())) {
      Files.write(workers().resolve(Long.toString(pid)), new byte[0]);
    }
  }

  /** Strikes a process that has ended, before its id can be given to another. */
  public void dismiss(long pid) throws IOException {
    Files.deleteIfExists(workers().resolve(Long.toString(pid)));
  }

  /** The processes enrolled. */
  public Set<Long> enrolled() {
    Set<Long> pids = new TreeSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(workers(), "[0-9]*")) {
      files.forEach(file -> pids.add(Long.parseLong(file.getFileName().toString())));
    } catch (IOException | DirectoryIteratorException | NumberFormatException e) {
      return pids;
    }
    return pids;
  }
}
