/** All other plans: what {@link io.elastune.core.timeline.Timeline} is played with in a sample. */
@NullMarked
package io.elastune.simulator.timeline;

import org.jspecify.annotations.NullMarked;
