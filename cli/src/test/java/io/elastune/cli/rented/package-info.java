/** What the integration tests of all clouds have in common. */
@NullMarked
package io.elastune.cli.rented;

import org.jspecify.annotations.NullMarked;
