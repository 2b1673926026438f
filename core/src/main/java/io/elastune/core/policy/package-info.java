/** Policies that divide the GPUs of a fixed cluster among trials (docs/searches.md, "Policies"). */
@NullMarked
package io.elastune.core.policy;

import org.jspecify.annotations.NullMarked;
