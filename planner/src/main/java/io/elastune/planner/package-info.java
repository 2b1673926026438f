/**
 * Looks for the cheapest allocation that keeps the promise: greedy and exact planners, static
 * baselines, frontier.
 */
@NullMarked
package io.elastune.planner;

import org.jspecify.annotations.NullMarked;
