package io.elastune.provisioner.local;

import io.elastune.core.offer.Offer;
import java.util.List;

/**
 * The cores and GPUs that this process may use.
 *
 * @param cores the numbers of the cores
 * @param gpus empty on a machine without GPUs
 */
record MachineDevices(List<Integer> cores, List<Gpu> gpus) {
  /** The GPU model of offers that use cores only. */
  private static final String CORES_ONLY = "cpu";

  MachineDevices {
    cores = List.copyOf(cores);
    gpus = List.copyOf(gpus);
  }

  static MachineDevices ofThisMachine() {
    return new MachineDevices(AllowedCores.ofThisProcess(), GpuInventory.ofThisMachine());
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

  /** Returns the number of cores that an instance of this offer needs for itself. */
  int coresPerInstance(Offer offer) {
    return sharesCores(offer) ? 0 : Math.min(cores.size(), offer.gpus() * coresPerSlot(offer));
  }

  /** Returns how many instances of this offer have GPUs and cores of their own. */
  int instances(Offer offer) {
    int byGpus = usesGpus(offer) ? gpus.size() / offer.gpus() : Integer.MAX_VALUE;
    int ownCores = coresPerInstance(offer);
    return ownCores == 0 ? byGpus : Math.min(byGpus, cores.size() / ownCores);
  }

  /** Returns whether the slots share cores because the machine has fewer cores than GPUs. */
  boolean sharesCores(Offer offer) {
    return usesGpus(offer) && offer.coresPerGpu() == 0 && cores.size() < gpus.size();
  }
}
