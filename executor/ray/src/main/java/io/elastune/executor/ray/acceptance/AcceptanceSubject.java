package io.elastune.executor.ray.acceptance;

import io.elastune.core.offer.Offer;
import java.util.Optional;

/**
 * What is checked.
 *
 * @param lease the lease of the node
 * @param offer what the node should be
 * @param inUse whether trials may run on it
 * @param image the image whose containers are checked; empty for the node itself
 */
record AcceptanceSubject(String lease, Offer offer, boolean inUse, Optional<String> image) {}
