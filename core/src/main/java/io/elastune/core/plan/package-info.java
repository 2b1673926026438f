/** What is to be trained, and what is held for it: trial groups, allocations, plans. */
@NullMarked
package io.elastune.core.plan;

import org.jspecify.annotations.NullMarked;
