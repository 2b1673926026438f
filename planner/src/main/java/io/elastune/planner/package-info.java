/**
 * Plans jobs: finds the cheapest allocation of instances that meets deadline and budget.
 * docs/planner.md describes the algorithm.
 */
@NullMarked
package io.elastune.planner;

import org.jspecify.annotations.NullMarked;
