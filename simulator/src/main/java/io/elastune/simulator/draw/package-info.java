/** Distributions, and tables of what is drawn from them, by trial or instance and sample. */
@NullMarked
package io.elastune.simulator.draw;

import org.jspecify.annotations.NullMarked;
