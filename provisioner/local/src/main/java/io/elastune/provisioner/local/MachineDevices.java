package io.elastune.provisioner.local;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.process.MemoryLimits;
import java.util.List;
import java.util.OptionalLong;

/**
 * The cores, GPUs and memory that this process may use.
 *
 * @param cores the numbers of the cores
 * @param gpus empty on a machine without GPUs
 * @param memoryBytes the memory of the machine, or of its control group if that has less; empty if
 *     it is unknown
 */
record MachineDevices(List<Integer> cores, List<Gpu> gpus, OptionalLong memoryBytes) {
  /** The GPU model of offers that use cores only. */
  private static final String CORES_ONLY = "cpu";

  MachineDevices {
    cores = List.copyOf(cores);
    gpus = List.copyOf(gpus);
  }

  static MachineDevices ofThisMachine() {
    return new MachineDevices(
        AllowedCores.ofThisProcess(),
        GpuInventory.ofThisMachine(),
        MemoryLimits.ofThisMachine().bytes(List.of(MemoryLimits.SELF)));
  }

  /**
   * Returns whether the slots of this offer are GPUs. On a machine without GPUs, every slot is a
   * set of cores.
   */
  boolean usesGpus(Offer offer) {
    return !gpus.isEmpty() && !offer.hasGpu(CORES_ONLY);
  }

  /**
   * Returns the cores of each slot: as the offer says, otherwise an equal share per GPU of the
   * machine, or one core for a slot without a GPU.
   */
  int coresPerSlot(Offer offer) {
    int share = usesGpus(offer) ? Math.max(1, cores.size() / gpus.size()) : 1;
    return Math.min(cores.size(), offer.coresPerGpu() > 0 ? offer.coresPerGpu() : share);
  }

  /**
   * Returns how many cores an instance of this offer needs for itself, which may be more than the
   * machine has.
   *
   * @param parts the unit: so many parts of a core, a multiple of {@link #slotsPerCore}
   */
  int coresPerInstance(Offer offer, int parts) {
    if (sharesCores(offer)) {
      return 0;
    }
    int each = offer.coresPerGpu() > 0 ? offer.coresPerGpu() : coresPerSlot(offer);
    long need = (long) offer.gpus() * each * parts;
    return (int) Math.min(Integer.MAX_VALUE, divideUp(need, slotsPerCore(offer)));
  }

  private static long divideUp(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  /**
   * Returns how many slots of this offer share a core. Slots with a GPU have cores of their own.
   */
  int slotsPerCore(Offer offer) {
    return usesGpus(offer) ? 1 : Math.max(1, offer.slotsPerCore());
  }

  /** Returns how many instances of this offer have GPUs and cores of their own. */
  int instances(Offer offer) {
    int byGpus = usesGpus(offer) ? gpus.size() / offer.gpus() : Integer.MAX_VALUE;
    int parts = slotsPerCore(offer);
    int ownCores = coresPerInstance(offer, parts);
    return ownCores == 0 ? byGpus : Math.min(byGpus, cores.size() * parts / ownCores);
  }

  /** Returns whether the slots share cores because the machine has fewer cores than GPUs. */
  boolean sharesCores(Offer offer) {
    return usesGpus(offer) && offer.coresPerGpu() == 0 && cores.size() < gpus.size();
  }

  /** Returns whether the user lets several slots of this offer share a core. */
  boolean mayShareCores(Offer offer) {
    return sharesCores(offer) || slotsPerCore(offer) > 1;
  }
}
