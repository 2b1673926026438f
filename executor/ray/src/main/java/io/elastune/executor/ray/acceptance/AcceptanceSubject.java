package io.elastune.executor.ray.acceptance;

import io.elastune.core.offer.Offer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What is checked.
 *
 * @param lease the lease of the node
 * @param offer what the node should be
 * @param inUse whether trials may run on its GPUs, and use all of their memory
 * @param image the image whose containers are checked; empty for the node itself
 * @param usualGbPerS the median speed of the GPUs of earlier instances of the offer while they
 *     copied their memory, in GB per second; empty if it is not known
 * @param nodes whose nodes these are
 * @param devices the GPUs of the lease, as {@code CUDA_VISIBLE_DEVICES} names them; empty for all
 *     of the node
 */
record AcceptanceSubject(
    String lease,
    Offer offer,
    boolean inUse,
    Optional<String> image,
    OptionalDouble usualGbPerS,
    CheckedNodes nodes,
    List<String> devices) {
  AcceptanceSubject {
    devices = List.copyOf(devices);
  }
}
