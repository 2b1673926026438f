/** Shared code of the integration tests of all clouds. */
@NullMarked
package io.elastune.cli.rented;

import org.jspecify.annotations.NullMarked;
