/**
 * The thin shell around the decision core: it journals, carries commands out through the two doors,
 * and feeds back what they tell. The only part of the executor that knows the time.
 */
@NullMarked
package io.elastune.executor.shell;

import org.jspecify.annotations.NullMarked;
