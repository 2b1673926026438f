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
  private static final int MOST_PARTS = 10_000;
  private static final double BYTES_PER_MB = 1e6;
  private static final double MB_PER_GB = 1e3;

  private final MachineDevices machine;
  private final List<Offer> offers;
  private final Map<String, Double> workerGb;
  private final List<DeviceHold> holds;

  /**
   * Creates the computation.
   *
   * @param workerGb the memory of one worker by GPU model, where it is known
   * @param holds what is in use; empty to ignore it
   */
  MachineCapacity(
      MachineDevices machine,
      List<Offer> offers,
      Map<String, Double> workerGb,
      List<DeviceHold> holds) {
    this.machine = machine;
    this.offers = offers;
    this.workerGb = Map.copyOf(workerGb);
    this.holds = holds;
  }

  /** Returns the limits. Where offers let slots share a core, its parts are counted. */
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
    int parts = partsOfACore();
    Map<String, Integer> cores = uses(offer -> machine.coresPerInstance(offer, parts));
    if (!cores.isEmpty()) {
      List<DeviceHold> holders = holds.stream().filter(hold -> !hold.cores().isEmpty()).toList();
      long free =
          machine.cores().stream()
              .filter(core -> holders.stream().noneMatch(hold -> hold.cores().contains(core)))
              .count();
      String name =
          holders.isEmpty() ? "cores of this machine" : DeviceHolders.cores(machine, holders);
      String unit = parts == 1 ? "cores" : "1/" + parts + " cores";
      quotas.add(new Quota(name, unit, (int) free * parts, cores));
    }
    Map<String, Integer> memory = uses(this::memoryMb);
    if (!memory.isEmpty() && machine.memoryBytes().isPresent()) {
      int most =
          (int) Math.min(Integer.MAX_VALUE, machine.memoryBytes().getAsLong() / BYTES_PER_MB);
      quotas.add(new Quota("memory of this machine", Quota.MEMORY_UNIT, most, memory));
    }
    return quotas;
  }

  /** Every slot has a worker. */
  private int memoryMb(Offer offer) {
    double gb = workerGb.getOrDefault(offer.gpu(), 0.0);
    return (int) Math.min(Integer.MAX_VALUE, Math.ceil(offer.gpus() * gb * MB_PER_GB));
  }

  /** Returns the least number of parts of a core of which each slot needs a whole number. */
  private int partsOfACore() {
    long parts = 1;
    for (Offer offer : offers) {
      long slots = machine.slotsPerCore(offer);
      parts = parts / greatestDivisor(parts, slots) * slots;
    }
    return (int) Math.min(MOST_PARTS, parts);
  }

  private static long greatestDivisor(long a, long b) {
    return b == 0 ? a : greatestDivisor(b, a % b);
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
