/**
 * Plans tuning jobs from a program: {@link io.elastune.plan.api.Plans} is the entrance. This
 * package is stable: its types are only extended between versions. All others may change.
 */
@NullMarked
package io.elastune.plan.api;

import org.jspecify.annotations.NullMarked;
