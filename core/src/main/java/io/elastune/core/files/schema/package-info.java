/** Descriptions of files, from which they are read, written and documented. */
@NullMarked
package io.elastune.core.files.schema;

import org.jspecify.annotations.NullMarked;
