package io.elastune.provisioner.local;

import java.util.List;
import java.util.stream.Collectors;

/** Describes which runs hold the devices of this machine. */
final class DeviceHolders {
  private DeviceHolders() {}

  /** Returns e.g. {@code 3 of the 4 GPUs of this machine are held by run a}. */
  static String gpus(MachineDevices machine, List<DeviceHold> holders) {
    long held =
        machine.gpus().stream()
            .filter(gpu -> holders.stream().anyMatch(hold -> hold.gpus().contains(gpu.id())))
            .count();
    return text(held, machine.gpus().size(), "GPUs", holders);
  }

  /** Returns e.g. {@code 2 of the 2 cores of this machine are held by run a}. */
  static String cores(MachineDevices machine, List<DeviceHold> holders) {
    long held =
        machine.cores().stream()
            .filter(core -> holders.stream().anyMatch(hold -> hold.cores().contains(core)))
            .count();
    return text(held, machine.cores().size(), "cores", holders);
  }

  private static String text(long held, int all, String devices, List<DeviceHold> holders) {
    return "%d of the %d %s of this machine are held by %s"
        .formatted(
            held,
            all,
            devices,
            holders.stream()
                .map(hold -> "run " + hold.run())
                .distinct()
                .sorted()
                .collect(Collectors.joining(", ")));
  }
}
