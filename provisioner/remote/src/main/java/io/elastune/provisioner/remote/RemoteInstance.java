package io.elastune.provisioner.remote;

import io.elastune.core.offer.Market;
import java.time.Instant;
import java.util.Optional;

/**
 * An instance as a cloud describes it, in the terms that all clouds share.
 *
 * @param id identifies it in calls and messages
 * @param uid differs for a later instance with the same {@code id}
 * @param lease the lease in its tags, if any
 * @param run the run in its tags, if any
 * @param status the cloud's own word for its stage
 * @param address its private address; empty while it has none
 * @param created when its creation started, by the cloud's clock
 * @param end why and when it ended, if the description of the instance contains it; otherwise
 *     {@link InstanceApi#history} does
 */
public record RemoteInstance(
    String id,
    String uid,
    Optional<String> lease,
    Optional<String> run,
    String type,
    Market market,
    String zone,
    InstanceStage stage,
    String status,
    String address,
    Instant created,
    Optional<InstanceHistory> end) {}
