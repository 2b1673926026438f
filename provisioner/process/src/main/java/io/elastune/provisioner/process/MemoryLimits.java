package io.elastune.provisioner.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Reads on Linux how much memory processes may use: that of the machine and its control groups. */
public final class MemoryLimits {
  /** The process that reads. */
  public static final String SELF = "self";

  private static final String UNIFIED = "memory.max";
  private static final String LEGACY = "memory.limit_in_bytes";

  private final Path proc;
  private final Path groups;

  /**
   * Creates a reader.
   *
   * @param proc where the kernel's process files are mounted
   * @param groups where the control groups are mounted
   */
  MemoryLimits(Path proc, Path groups) {
    this.proc = proc;
    this.groups = groups;
  }

  /** Returns the limits of this machine. */
  public static MemoryLimits ofThisMachine() {
    return new MemoryLimits(Path.of("/proc"), Path.of("/sys/fs/cgroup"));
  }

  /**
   * Returns the bytes that some processes may use together: the least of the machine's memory and
   * of the limits of their control groups and the groups around these; empty if this is not Linux.
   *
   * @param processes their ids, or {@link #SELF}
   */
  public OptionalLong bytes(List<String> processes) {
    return Stream.concat(
            processes.stream()
                .flatMap(process -> groupFiles(process, UNIFIED, LEGACY).stream())
                .flatMap(file -> KernelFile.lines(file).stream())
                .filter(line -> line.matches("[0-9]{1,18}")) // otherwise there is no limit
                .map(Long::parseLong),
            Stream.of(KernelFile.bytes(KernelFile.lines(proc.resolve("meminfo")), "MemTotal:")))
        .mapToLong(Long::longValue)
        .filter(bytes -> bytes > 0)
        .min();
  }

  /**
   * Returns where the control group of a process, and the groups around it, may have a file, the
   * innermost first. In a container, the group itself may be mounted at the root.
   *
   * @param process its id, or {@link #SELF}
   * @param unified its name in cgroup v2
   * @param legacy its name in cgroup v1
   */
  public List<Path> groupFiles(String process, String unified, String legacy) {
    List<Path> files = new ArrayList<>();
    for (String line : KernelFile.lines(proc.resolve(process).resolve("cgroup"))) {
      String[] fields = line.split(":", 3);
      if (fields.length == 3 && fields[0].equals("0")) {
        files.addAll(around(groups, fields[2], unified));
      } else if (fields.length == 3 && List.of(fields[1].split(",", -1)).contains("memory")) {
        files.addAll(around(groups.resolve("memory"), fields[2], legacy));
      }
    }
    return files;
  }

  private static List<Path> around(Path root, String group, String file) {
    List<Path> files = new ArrayList<>();
    Path relative = root.relativize(root.resolve("." + group).normalize());
    for (int names = relative.getNameCount(); names > 0; names--) {
      files.add(root.resolve(relative.subpath(0, names)).resolve(file));
    }
    files.add(root.resolve(file));
    return files;
  }
}
