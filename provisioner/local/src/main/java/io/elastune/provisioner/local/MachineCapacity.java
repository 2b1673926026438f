package io.elastune.provisioner.local;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/** Computes how many instances of some offers this machine has room for. */
final class MachineCapacity {
  private final MachineDevices machine;
  private final List<Offer> offers;
  private final List<DeviceHold> holds;

  /** {@code holds}: what is in use; empty to ignore it. */
  MachineCapacity(MachineDevices machine, List<Offer> offers, List<DeviceHold> holds) {
    this.machine = machine;
    this.offers = offers;
    this.holds = holds;
  }

  /**
   * Returns the limits. Cores are limited only while something is in use: the instances of one run
   * may share them.
   */
  List<Quota> quotas() {
    List<Quota> quotas = new ArrayList<>();
    Map<String, Integer> gpus = uses(offer -> machine.usesGpus(offer) ? offer.gpus() : 0);
    if (!gpus.isEmpty()) {
      List<DeviceHold> holders = holds.stream().filter(hold -> !hold.gpus().isEmpty()).toList();
      long free =
          machine.gpus().stream()
              .filter(gpu -> holders.stream().noneMatch(hold -> hold.gpus().contains(gpu.id())))
              .count();
      String name =
          holders.isEmpty() ? "GPUs of this machine" : DeviceHolders.gpus(machine, holders);
      quotas.add(new Quota(name, "GPU", (int) free, gpus));
    }
    Map<String, Integer> cores = uses(machine::coresPerInstance);
    List<DeviceHold> holders = holds.stream().filter(hold -> !hold.cores().isEmpty()).toList();
    if (!cores.isEmpty() && !holders.isEmpty()) {
      long free =
          machine.cores().stream()
              .filter(core -> holders.stream().noneMatch(hold -> hold.cores().contains(core)))
              .count();
      quotas.add(new Quota(DeviceHolders.cores(machine, holders), "core", (int) free, cores));
    }
    return quotas;
  }

  private Map<String, Integer> uses(ToIntFunction<Offer> units) {
    Map<String, Integer> uses = new TreeMap<>();
    for (Offer offer : offers) {
      if (units.applyAsInt(offer) > 0) {
        uses.put(offer.name(), units.applyAsInt(offer));
      }
    }
    return uses;
  }
}
