/**
 * The mean-value model of a candidate plan: which offers and GPU counts a trial group may use, and
 * what a plan takes and costs on average (docs/planner.md, steps 1 and 2).
 */
@NullMarked
package io.elastune.planner.model;

import org.jspecify.annotations.NullMarked;
