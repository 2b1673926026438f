package io.elastune.cli.execute;

/**
 * How to start or resume a run.
 *
 * @param yes whether the command line already confirms the plan
 * @param parallel whether other runs of the job may be in progress
 * @param detach whether a process in the background executes the run
 * @param follow whether the command then follows the run until it ends
 */
public record StartOptions(boolean yes, boolean parallel, boolean detach, boolean follow) {}
