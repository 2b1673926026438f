/** Plans of searches made of rungs. */
@NullMarked
package io.elastune.planner.rung;

import org.jspecify.annotations.NullMarked;
