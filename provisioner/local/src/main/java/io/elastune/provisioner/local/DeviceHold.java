package io.elastune.provisioner.local;

import io.elastune.provisioner.process.InstanceFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The cores and GPUs of one instance. It is stored in the folder of the instance and valid as long
 * as a process of the instance exists, so a killed controller holds nothing for longer than its
 * workers run.
 *
 * @param run the run of the instance
 * @param cores the cores, once for each slot that uses them
 * @param gpus the ids of the GPUs
 */
record DeviceHold(String run, List<Integer> cores, List<String> gpus) {
  private static final String FILE = "devices.properties";
  private static final String CORES = "cores";
  private static final String GPUS = "gpus";

  DeviceHold {
    cores = List.copyOf(cores);
    gpus = List.copyOf(gpus);
  }

  void store(InstanceFolder folder) throws IOException {
    String coreList = cores.stream().map(String::valueOf).collect(Collectors.joining(","));
    InstanceRecords.store(
        folder.path().resolve(FILE), Map.of(CORES, coreList, GPUS, String.join(",", gpus)));
  }

  /** Returns the valid holds of all instances of a home. */
  static List<DeviceHold> all(Path home) {
    List<DeviceHold> holds = new ArrayList<>();
    for (InstanceFolder folder : InstanceRecords.all(home)) {
      read(folder)
          .filter(hold -> InstanceRecords.processesOf(folder).isAlive())
          .ifPresent(holds::add);
    }
    return holds;
  }

  private static Optional<DeviceHold> read(InstanceFolder folder) {
    Properties values = InstanceRecords.load(folder.path().resolve(FILE));
    if (!values.containsKey(CORES)) {
      return Optional.empty();
    }
    List<Integer> cores =
        items(values, CORES)
            .filter(core -> core.matches("\\d{1,5}"))
            .map(Integer::valueOf)
            .toList();
    return Optional.of(
        new DeviceHold(
            InstanceRecords.run(folder).orElse("unknown"), cores, items(values, GPUS).toList()));
  }

  private static Stream<String> items(Properties values, String key) {
    return Stream.of(values.getProperty(key, "").split(",", -1)).filter(item -> !item.isEmpty());
  }
}
