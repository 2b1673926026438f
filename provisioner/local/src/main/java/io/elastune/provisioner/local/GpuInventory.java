package io.elastune.provisioner.local;

import io.elastune.provisioner.process.HostTools;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the NVIDIA GPUs that this process may use: those that {@code nvidia-smi -L} lists, or the
 * files {@code /dev/nvidia*} if it is missing or fails, reduced to {@code CUDA_VISIBLE_DEVICES} of
 * this process if it is set.
 */
final class GpuInventory {
  private static final Logger LOG = LoggerFactory.getLogger(GpuInventory.class);
  static final Pattern GPU = Pattern.compile("GPU (\\d{1,4}): (.+) \\(UUID: (\\S+)\\)\\s*");
  static final Pattern MIG =
      Pattern.compile("\\s+(MIG \\S+)\\s+Device\\s+(\\d+): \\(UUID: (\\S+)\\)\\s*");
  private static final Pattern DEVICE_FILE = Pattern.compile("nvidia(\\d{1,4})");

  private GpuInventory() {}

  /** Returns the GPUs of this machine, which are searched once. */
  static List<Gpu> ofThisMachine() {
    return Found.GPUS;
  }

  /** Searches when it is first used. */
  private static final class Found {
    static final List<Gpu> GPUS =
        visible(
            HostTools.find("nvidia-smi")
                .flatMap(GpuInventory::listed)
                .orElseGet(() -> deviceFiles(Path.of("/dev"))),
            Optional.ofNullable(System.getenv("CUDA_VISIBLE_DEVICES")));
  }

  /** Returns what {@code nvidia-smi} lists; empty if it fails. */
  static Optional<List<Gpu>> listed(String nvidiaSmi) {
    try {
      return Optional.of(parse(NvidiaSmi.output(nvidiaSmi, "-L").lines().toList()));
    } catch (IOException e) {
      LOG.warn("{} -L: {}: GPUs are counted by their device files", nvidiaSmi, e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Parses the output of {@code nvidia-smi -L}. A GPU that is divided into MIG devices is replaced
   * by them. CUDA does not count GPUs that do not answer, so if the numbers have gaps, or if there
   * are MIG devices, GPUs are named by their UUIDs.
   */
  static List<Gpu> parse(List<String> lines) {
    List<Gpu> gpus = new ArrayList<>();
    boolean anyMig = false;
    Gpu parent = null;
    for (String line : lines) {
      Matcher gpu = GPU.matcher(line);
      Matcher mig = MIG.matcher(line);
      if (gpu.matches()) {
        int index = Integer.parseInt(gpu.group(1));
        parent = new Gpu(gpu.group(3), index, gpu.group(3), gpu.group(2));
        gpus.add(parent);
      } else if (mig.matches() && parent != null) {
        anyMig = true;
        gpus.remove(parent);
        String model = parent.model() + " " + mig.group(1);
        gpus.add(new Gpu(mig.group(3), parent.index(), mig.group(3), model));
      }
    }
    boolean numbered =
        !anyMig && IntStream.range(0, gpus.size()).allMatch(i -> gpus.get(i).index() == i);
    return numbered ? gpus.stream().map(GpuInventory::byNumber).toList() : List.copyOf(gpus);
  }

  private static Gpu byNumber(Gpu gpu) {
    return new Gpu(gpu.id(), gpu.index(), Integer.toString(gpu.index()), gpu.model());
  }

  /** CUDA numbers the GPUs with accessible device files from 0, without the gaps in their names. */
  static List<Gpu> deviceFiles(Path dev) {
    Set<Integer> minors = new TreeSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(dev, "nvidia*")) {
      for (Path file : files) {
        Matcher name = DEVICE_FILE.matcher(file.getFileName().toString());
        if (name.matches()) {
          minors.add(Integer.parseInt(name.group(1)));
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return List.of();
    }
    List<Gpu> gpus = new ArrayList<>();
    for (int minor : minors) {
      int index = gpus.size();
      gpus.add(new Gpu("nvidia" + minor, index, Integer.toString(index), "NVIDIA GPU"));
    }
    return List.copyOf(gpus);
  }

  /**
   * Returns the GPUs in {@code CUDA_VISIBLE_DEVICES}, in its order. As in CUDA, the list ends at
   * the first entry that names no GPU, a UUID may be abbreviated, and an empty value hides all.
   */
  static List<Gpu> visible(List<Gpu> all, Optional<String> variable) {
    if (variable.isEmpty()) {
      return all;
    }
    Set<Gpu> visible = new LinkedHashSet<>();
    for (String entry : variable.get().split(",", -1)) {
      Optional<Gpu> named = named(all, entry.strip());
      if (named.isEmpty()) {
        break;
      }
      visible.add(named.get());
    }
    return List.copyOf(visible);
  }

  private static Optional<Gpu> named(List<Gpu> all, String entry) {
    if (entry.matches("\\d{1,4}")) {
      int index = Integer.parseInt(entry);
      return all.stream().filter(gpu -> gpu.index() == index).findFirst();
    }
    List<Gpu> matches =
        all.stream().filter(gpu -> !entry.isEmpty() && gpu.id().startsWith(entry)).toList();
    return matches.size() == 1 ? Optional.of(matches.get(0)) : Optional.empty();
  }
}
