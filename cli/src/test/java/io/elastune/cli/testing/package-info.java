/** What the tests of this module share. */
@NullMarked
package io.elastune.cli.testing;

import org.jspecify.annotations.NullMarked;
