/** Searches as trial groups (docs/model.md, "Searches as trial groups"). */
@NullMarked
package io.elastune.core.search;

import org.jspecify.annotations.NullMarked;
