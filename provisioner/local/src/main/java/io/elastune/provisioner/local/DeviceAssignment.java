package io.elastune.provisioner.local;

import io.elastune.core.offer.Offer;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The cores and GPUs of an instance, slot by slot.
 *
 * @param cores the cores of each slot
 * @param gpus the GPU of each slot; empty if the slots have none
 * @param hidden whether the machine has GPUs that the slots must not use
 * @param sharesCores whether a core is also used by another slot of the run
 */
record DeviceAssignment(
    List<List<Integer>> cores, List<Gpu> gpus, boolean hidden, boolean sharesCores) {
  /**
   * Assigns devices to a new instance.
   *
   * @param holds what all instances of the home hold now
   * @throws DeviceShortageException if not enough is free. Cores may be shared by the instances of
   *     one run, but not with another run
   */
  static DeviceAssignment of(
      MachineDevices machine, Offer offer, String run, List<DeviceHold> holds)
      throws DeviceShortageException {
    boolean onGpus = machine.usesGpus(offer);
    List<Gpu> gpus = onGpus ? gpus(machine, offer, holds) : List.of();
    List<DeviceHold> others = holds.stream().filter(hold -> !hold.run().equals(run)).toList();
    List<Integer> usable = machine.cores();
    boolean shared = machine.sharesCores(offer);
    if (!shared && others.stream().anyMatch(hold -> !hold.cores().isEmpty())) {
      usable = coresBesides(machine, offer, holds, others);
    }
    List<Integer> used = holds.stream().flatMap(hold -> hold.cores().stream()).toList();
    CoreAllocator allocator = new CoreAllocator(usable, used);
    List<List<Integer>> cores = allocator.allocate(offer.gpus(), machine.coresPerSlot(offer));
    boolean hidden = !onGpus && !machine.gpus().isEmpty();
    return new DeviceAssignment(
        cores, gpus, hidden, !machine.mayShareCores(offer) && allocator.isShared(cores));
  }

  private static List<Gpu> gpus(MachineDevices machine, Offer offer, List<DeviceHold> holds)
      throws DeviceShortageException {
    if (offer.gpus() > machine.gpus().size()) {
      throw new DeviceShortageException(
          offer.name()
              + " needs "
              + offer.gpus()
              + " GPUs per instance, and this machine has "
              + machine.gpus().size(),
          false);
    }
    List<Gpu> free =
        machine.gpus().stream()
            .filter(gpu -> holds.stream().noneMatch(hold -> hold.gpus().contains(gpu.id())))
            .limit(offer.gpus())
            .toList();
    if (free.size() < offer.gpus()) {
      List<DeviceHold> holders = holds.stream().filter(hold -> !hold.gpus().isEmpty()).toList();
      throw new DeviceShortageException(DeviceHolders.gpus(machine, holders), true);
    }
    return free;
  }

  /** Returns the cores that other runs do not hold. */
  private static List<Integer> coresBesides(
      MachineDevices machine, Offer offer, List<DeviceHold> holds, List<DeviceHold> others)
      throws DeviceShortageException {
    List<Integer> usable =
        machine.cores().stream()
            .filter(core -> others.stream().noneMatch(hold -> hold.cores().contains(core)))
            .toList();
    long free =
        usable.stream()
            .filter(core -> holds.stream().noneMatch(hold -> hold.cores().contains(core)))
            .count();
    if (free < Math.min(machine.cores().size(), machine.coresPerInstance(offer, 1))) {
      throw new DeviceShortageException(DeviceHolders.cores(machine, others), true);
    }
    return usable;
  }

  /** Returns what the instance holds. */
  DeviceHold hold(String run) {
    return new DeviceHold(
        run, cores.stream().flatMap(List::stream).toList(), gpus.stream().map(Gpu::id).toList());
  }

  /** Returns the cores of each slot as a list for {@code taskset -c}. */
  List<String> slots() {
    return cores.stream()
        .map(slot -> slot.stream().map(String::valueOf).collect(Collectors.joining(",")))
        .toList();
  }

  /** Returns {@code CUDA_VISIBLE_DEVICES} of each slot; empty if it remains as it is. */
  List<String> visibleDevices() {
    return hidden ? Collections.nCopies(cores.size(), "") : gpus.stream().map(Gpu::device).toList();
  }
}
