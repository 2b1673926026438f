/** Named random streams, derived from one seed. */
@NullMarked
package io.elastune.core.random;

import org.jspecify.annotations.NullMarked;
