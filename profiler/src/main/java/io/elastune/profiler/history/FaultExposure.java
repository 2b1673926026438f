package io.elastune.profiler.history;

/**
 * How often instances of an offer were lost and attempts on them failed, over all finished runs on
 * real instances.
 *
 * @param place its region or zone
 * @param instanceHours hours from running to the end of all leases
 * @param preempted leases that the cloud preempted
 * @param failed leases whose instance failed or lost contact after it had been ready
 * @param ready leases whose instance became ready
 * @param notReady leases whose instance failed before it became ready
 * @param refused requests that the cloud refused
 * @param attemptHours hours of all attempts
 * @param attempts attempts that ended
 * @param failedAttempts attempts that ended with an error
 */
public record FaultExposure(
    String offer,
    String place,
    String market,
    int leases,
    double instanceHours,
    int preempted,
    int failed,
    int ready,
    int notReady,
    int refused,
    double attemptHours,
    int attempts,
    int failedAttempts) {}
