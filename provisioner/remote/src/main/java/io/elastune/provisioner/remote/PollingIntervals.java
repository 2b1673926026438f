package io.elastune.provisioner.remote;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/**
 * The polling intervals, timeouts and call rates for one cloud.
 *
 * @param pollInterval time between two lists, and between two queries of an operation, while
 *     operations are pending
 * @param spotPollInterval time between two lists, and between two queries for interruption notices,
 *     while all instances are ready and some are spot
 * @param idlePollInterval time between two lists while all instances are ready
 * @param retryInterval time between two requests to terminate the same instance, and before retries
 * @param listingDelay the longest assumed time until the cloud's lists are consistent: an instance
 *     not listed for this long does not exist
 * @param lookupDelay how long an instance must be missing in lists before it is queried by its id
 * @param bootTimeout time within which a running node must report that it is ready
 * @param launchPatience time for which a launch with an unknown outcome is repeated identically and
 *     its instance is looked for, before another zone is tried; and for which a launch is repeated
 *     that names something that is not visible yet
 * @param zoneCooldown time for which a zone without capacity is not tried again
 * @param renewalInterval time between two renewals of the expiry of nodes
 * @param throttlePause pause of calls after the cloud has throttled one
 * @param burst number of calls of one kind without delay
 * @param callsPerSecond sustained rate of calls of one kind
 */
@RecordBuilder
public record PollingIntervals(
    Duration pollInterval,
    Duration spotPollInterval,
    Duration idlePollInterval,
    Duration retryInterval,
    Duration listingDelay,
    Duration lookupDelay,
    Duration bootTimeout,
    Duration launchPatience,
    Duration zoneCooldown,
    Duration renewalInterval,
    Duration throttlePause,
    double burst,
    double callsPerSecond) {}
