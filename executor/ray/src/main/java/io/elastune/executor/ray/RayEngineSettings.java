package io.elastune.executor.ray;

import io.elastune.executor.ray.link.BridgeSettings;
import java.time.Duration;

/**
 * The settings of a Ray engine.
 *
 * @param bridge how the bridge is started
 * @param timeToLive time without a renewal after which a node ends its workers
 * @param stopGrace time from SIGTERM to SIGKILL when an attempt is stopped
 * @param siblingGrace time from SIGTERM to SIGKILL for the other workers after one has failed
 * @param lostAfter time without an answer of a node, while others answer, after which it is lost
 * @param gpus the GPUs that the agent of a lease reserves
 */
public record RayEngineSettings(
    BridgeSettings bridge,
    Duration timeToLive,
    Duration stopGrace,
    Duration siblingGrace,
    Duration lostAfter,
    int gpus) {}
