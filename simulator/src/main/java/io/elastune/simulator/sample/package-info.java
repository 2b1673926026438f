/** The samples of a plan and the figures that follow from them. */
@NullMarked
package io.elastune.simulator.sample;

import org.jspecify.annotations.NullMarked;
