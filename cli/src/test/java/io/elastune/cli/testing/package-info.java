/** Shared code of this module's tests. */
@NullMarked
package io.elastune.cli.testing;

import org.jspecify.annotations.NullMarked;
