/** A text that counts when it is entered or the field is left: what is half typed sends no request. */
import { TextInput } from "@mantine/core";
import { useState } from "react";

interface TextFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

export function TextField(props: TextFieldProps) {
  // What comes from outside replaces what was typed.
  return <TypedField key={props.value} {...props} />;
}

function TypedField({ label, placeholder, value, onChange }: TextFieldProps) {
  const [typed, setTyped] = useState(value ?? "");
  const commit = () => {
    const chosen = typed.trim() === "" ? undefined : typed.trim();
    if (chosen !== value) onChange(chosen);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        commit();
      }}
    >
      <TextInput
        label={label}
        placeholder={placeholder}
        w={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={commit}
      />
    </form>
  );
}
