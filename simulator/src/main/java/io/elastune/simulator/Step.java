package io.elastune.simulator;

/**
 * One trial group of a plan, made ready for sampling.
 *
 * @param group its index in the workload
 * @param chain the index of its chain
 * @param after indices of the groups that must end before it starts
 * @param trials how many trials
 * @param workS units × seconds per unit of one trial, without spread
 * @param teamSize instances per trial; 1 unless a trial is bigger than an instance
 * @param teams teams (or single instances) that take trials
 * @param perTeam trials at once on each of them
 * @param share part of each of its instances' GPUs that a trial keeps busy
 * @param requested instances newly requested when it starts
 * @param kept instances that the next group takes over
 * @param last whether it is the last of its chain
 * @param x each trial's factor of mean 1
 * @param startups each trial's start-up seconds
 */
// An array, for it is read in the sampling loop; equality of steps is not used.
@SuppressWarnings("ArrayRecordComponent")
record Step(
    int group,
    int chain,
    int[] after,
    int trials,
    double workS,
    int teamSize,
    int teams,
    int perTeam,
    double share,
    int requested,
    int kept,
    boolean last,
    DrawTable x,
    DrawTable startups) {}
