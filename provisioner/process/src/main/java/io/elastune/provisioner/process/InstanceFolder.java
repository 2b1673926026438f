package io.elastune.provisioner.process;

import io.elastune.core.Preconditions;
import io.elastune.core.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The folder of a local instance: {@code $ELASTUNE_HOME/local/<lease>}. Every process started on
 * the instance is registered here. The instance's guard needs this to end processes on systems
 * where their environment cannot be read (macOS).
 *
 * @param path the path of the folder
 */
public record InstanceFolder(Path path) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  /** Never that of the first process, whose descendants are all processes. */
  private static final Pattern PID = Pattern.compile("(?!1$)[1-9][0-9]{0,17}");

  /** Returns the folder of the lease, whether it exists or not. */
  public static InstanceFolder of(Path home, String lease) {
    Preconditions.that(isValidName(lease), "lease " + lease + " is not a valid folder name");
    return new InstanceFolder(parentOf(home).resolve(lease));
  }

  /** Returns whether the lease is a valid folder name. */
  public static boolean isValidName(String lease) {
    return NAME.matcher(lease).matches();
  }

  /** Returns the parent folder of all instances. */
  public static Path parentOf(Path home) {
    return home.resolve("local");
  }

  /** Returns the folder of registered processes: one empty file each, named by process id. */
  public Path workersFolder() {
    return path.resolve("workers");
  }

  /** Registers a process of the instance; does nothing if the instance has ended. */
  public void register(long pid) throws IOException {
    if (Files.isDirectory(workersFolder())) {
      PrivateFiles.createFile(workersFolder().resolve(Long.toString(pid)));
    }
  }

  /** Records that workers of the instance run in containers, which its guard removes. */
  public void registerContainers() throws IOException {
    if (Files.isDirectory(workersFolder())) {
      PrivateFiles.createFile(path.resolve("containers"));
    }
  }

  /** Removes a process that has ended, before the system reuses its id. */
  public void unregister(long pid) throws IOException {
    Files.deleteIfExists(workersFolder().resolve(Long.toString(pid)));
  }

  /** Returns the ids of the registered processes. */
  public Set<Long> registered() {
    Set<Long> pids = new TreeSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(workersFolder(), "[0-9]*")) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (PID.matcher(name).matches()) {
          pids.add(Long.parseLong(name));
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return pids;
    }
    return pids;
  }
}
