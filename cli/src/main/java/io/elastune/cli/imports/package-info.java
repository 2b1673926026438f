/** Reads searches of other tools, and writes job files of them. */
@NullMarked
package io.elastune.cli.imports;

import org.jspecify.annotations.NullMarked;
