/** Property-based tests on random jobs and plans, with shrinking of failures. */
@NullMarked
package io.elastune.core.properties;

import org.jspecify.annotations.NullMarked;
