/**
 * Time passes, tasks start and end on GPUs, instances come and go, a search reacts: {@link
 * io.elastune.core.timeline.Timeline} plays it, event by event. What is played follows from the
 * answers to six questions, each an interface: {@link io.elastune.core.timeline.SearchRun} (what is
 * trained), {@link io.elastune.core.timeline.PolicyRun} (where, and on which instances), {@link
 * io.elastune.core.timeline.TrialTimes}, {@link io.elastune.core.timeline.InstanceTimes}, {@link
 * io.elastune.core.timeline.Faults} and {@link io.elastune.core.timeline.Bills}
 * (docs/architecture.md, "The timeline").
 */
@NullMarked
package io.elastune.core.timeline;

import org.jspecify.annotations.NullMarked;
