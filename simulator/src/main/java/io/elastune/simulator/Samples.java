package io.elastune.simulator;

/**
 * The joint draws of a plan: entry {@code i} of both arrays is the same sample, and sample {@code
 * i} of two plans of one problem saw the same luck.
 *
 * @param completionS seconds from the start of the plan to the end of its last group
 * @param costUsd dollars of the whole plan, controller and checkpoints included
 */
// Arrays, for the planner compares thousands of plans; records' equality on them is not used.
@SuppressWarnings("ArrayRecordComponent")
public record Samples(double[] completionS, double[] costUsd) {}
