/**
 * Annotations by which the components of a record describe the fields of a section in a file. Each
 * field is written once: reading, writing, documentation and the JSON Schema are derived from it.
 */
@NullMarked
package io.elastune.core.field;

import org.jspecify.annotations.NullMarked;
